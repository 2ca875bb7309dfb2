# What "make install" puts where, and "make uninstall" takes away again.
