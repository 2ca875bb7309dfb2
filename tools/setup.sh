#!/bin/sh
# Installs the Debian packages of tools/packages that are missing; silent and offline when none is.
#
# usage: setup.sh [LIST...]; lists beside this file, default packages. An entry "command:package" is for a command that may
# also have come from elsewhere.
set -eu
folder=$(dirname "$0")
list=
for name in ${*:-packages}; do list="$list $folder/$name"; done
missing=
if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; what is needed is listed in$list" >&2
    exit 0
fi
for entry in $(cat $list | sed -e '/^#/d' -e 's/[[:space:]].*//'); do
    package=${entry#*:}
    if [ "$package" != "$entry" ] && command -v "${entry%%:*}" >/dev/null; then continue; fi
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state=absent
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "setup: installing$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
# The package lists may be old or absent on a fresh machine.
if $sudo apt-get -qq update && $sudo apt-get -qq install -y --no-install-recommends $missing; then
    exit 0
fi
echo "setup: could not install$missing" >&2
exit 1
