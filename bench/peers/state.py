"""State files of bench/peers in Python; state.h describes them."""


def read_state(path):
    state = {"planes": [], "bodies": []}
    lines = open(path).read().splitlines()
    if lines[0] != "peers 1":
        raise ValueError(f"{path}: not a state file of version 1")
    for words in (line.split() for line in lines[1:]):
        if words[0] == "body":
            n = list(map(float, words[2:]))
            state["bodies"].append({"shape": words[1], "size": n[0:3], "mass": n[3], "inertia": n[4:7],
                                    "position": n[7:10], "turn": n[10:14], "velocity": n[14:17], "rate": n[17:20]})
            continue
        n = list(map(float, words[1:]))
        if words[0] == "gravity":
            state["gravity"] = n
        elif words[0] == "law":
            state["slide"], state["roll"], state["spin"] = n
        elif words[0] == "plane":
            state["planes"].append((n[0:3], n[3]))
    return state


def write_state(path, state):
    with open(path, "w") as file:
        file.write("peers 1\ngravity " + " ".join(map(repr, state["gravity"])) + "\n")
        file.write(f"law {state['slide']!r} {state['roll']!r} {state['spin']!r}\n")
        for normal, offset in state["planes"]:
            file.write("plane " + " ".join(map(repr, normal + [offset])) + "\n")
        for b in state["bodies"]:
            numbers = b["size"] + [b["mass"]] + b["inertia"] + b["position"] + b["turn"] + b["velocity"] + b["rate"]
            file.write(f"body {b['shape']} " + " ".join(map(repr, numbers)) + "\n")
