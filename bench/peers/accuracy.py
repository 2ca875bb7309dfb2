"""What every program's final state is measured by: closed forms, penetration, energy. The same code for all of them."""
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# ---- the ball on the slope (W3)

def slope_speed(state, time):
    """Closed form of the ball thrown up a slope without turning: its speed along x [m/s] after a time [s].

    It slides, the friction force turns it until it rolls, it rolls up, stops, and rolls down if gravity beats the roll
    couple. Moment of inertia 2/5 m r^2; roll and slip brake at full strength.
    """
    ball = state["bodies"][0]
    r, v = ball["size"][0], ball["velocity"][0]
    fall, press = -state["gravity"][0], -state["gravity"][2]  # along the slope, onto it
    slide, roll = state["slide"], state["roll"] / r
    brake = fall + slide * press
    spin_up = 2.5 * (slide - roll) * press  # of r omega
    rolls = v / (brake + spin_up)  # when r omega = v
    if time <= rolls:
        return v - brake * time
    v = v - brake * rolls
    up = (fall + roll * press) / 1.4
    stops = rolls + v / up
    if time <= stops:
        return v - up * (time - rolls)
    return -max(0.0, fall - roll * press) / 1.4 * (time - stops)


def slope(start, end, time):
    exact = slope_speed(start, time)
    return {"v(%g s) m/s" % time: "%.6f" % end["bodies"][0]["velocity"][0],
            "error m/s": abs(end["bodies"][0]["velocity"][0] - exact)}


# ---- energy

def turned(q, v):
    """v turned by the quaternion (w, x, y, z)."""
    w, u = q[0], q[1:]
    c = cross(u, v)
    return [v[k] + 2.0 * (w * c[k] + cross(u, c)[k]) for k in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def kinetic(state):
    total = 0.0
    for b in state["bodies"]:
        back = [b["turn"][0]] + [-x for x in b["turn"][1:]]
        rate = turned(back, b["rate"])
        total += 0.5 * b["mass"] * dot(b["velocity"], b["velocity"])
        total += 0.5 * sum(i * w * w for i, w in zip(b["inertia"], rate))
    return total


def energy(state):
    """Kinetic and potential, zero for bodies at rest with their centres at the origin [J]."""
    return kinetic(state) - sum(b["mass"] * dot(state["gravity"], b["position"]) for b in state["bodies"])


# ---- the spinning disk (W2)

def energy_kept(start, end):
    before = energy(start)
    return {"energy lost": (before - energy(end)) / before}


def drift(start, end, later):
    """Energy lost between two ends of the same run, in parts of the start's: bounded oscillation leaves it small."""
    return (energy(end) - energy(later)) / energy(start)


def steady_time(state, last):
    """Closed form: when steady spinning under a roll couple has brought the tilt [rad] of a thin disk down to `last` [s].

    With the centre at rest E = 3/2 m g r sin(tilt), the disk turns at sqrt(4 g sin(tilt)/r) about the diameter through the
    contact, and roll m g times the level part of that is lost: d tilt/dt = -(4 roll/3 r) sqrt(g sin(tilt)/r).
    """
    disk = state["bodies"][0]
    r, g = disk["size"][0], -state["gravity"][2]
    up = turned(disk["turn"], [0.0, 0.0, 1.0])
    low, high = math.sqrt(last), math.sqrt(math.atan2(math.hypot(up[0], up[1]), up[2]))
    parts, total = 2000, 0.0
    for k in range(parts):  # in u = sqrt(tilt), where the integrand is smooth
        u = low + (k + 0.5) * (high - low) / parts
        total += 2.0 * u / math.sqrt(math.sin(u * u)) * (high - low) / parts
    return 0.75 * r / state["roll"] * math.sqrt(r / g) * total


def spun_down(start, answer, last):
    exact = steady_time(start, last)
    if answer["stopped"] < 0:
        return {"tilt reached": "never"}
    return {"time s": "%.4f" % answer["stopped"], "error": answer["stopped"] / exact - 1.0}


# ---- stacks (W5)

def stack(start, end):
    """How far boxes have moved along the floor, sunk, and leaned over; kinetic energy left."""
    drift = sink = lean = 0.0
    for a, b in zip(start["bodies"], end["bodies"]):
        step = [y - x for x, y in zip(a["position"], b["position"])]
        drift = max(drift, math.hypot(step[0], step[1]))
        sink = max(sink, abs(step[2]))
        up = turned(b["turn"], [0.0, 0.0, 1.0])
        lean = max(lean, math.atan2(math.hypot(up[0], up[1]), up[2]))
    return {"drift m": drift, "sink m": sink, "lean rad": lean, "kinetic energy J": kinetic(end)}


# ---- piles of spheres (W1)

def overlaps(state):
    """Depths [m] of all pairs of spheres, and of spheres and planes, that overlap."""
    bodies = state["bodies"]
    edge = 2.0 * max(b["size"][0] for b in bodies)
    cells, found = {}, []
    for b in bodies:
        x, r = b["position"], b["size"][0]
        found += [d for d in (r - dot(n, x) + offset for n, offset in state["planes"]) if d > 0.0]
        here = tuple(math.floor(c / edge) for c in x)
        for i in range(27):
            for y, s in cells.get((here[0] + i // 9 - 1, here[1] + i // 3 % 3 - 1, here[2] + i % 3 - 1), ()):
                depth = r + s - math.dist(x, y)
                if depth > 0.0:
                    found.append(depth)
        cells.setdefault(here, []).append((x, r))
    return found


def pile(end, answer):
    depths = overlaps(end)
    result = {"deepest overlap m": max(depths, default=0.0), "mean overlap m": sum(depths) / max(1, len(depths)),
              "kinetic energy J": kinetic(end)}
    if answer.get("residual"):
        result["residual rms m/s"] = answer["residual"]
    return result
