"""W4: frozen contact problems, solved from nothing with ever more sweeps; every answer judged by the same judge (frozen.h).

A row is one solver: for each target residual the time of the first solve of its ladder (10, 20, 40, ... sweeps) that got
there. Trundle's time is that of packing and solving, Siconos' that of its solver without building its matrix.
"""
import json
import os
import subprocess

TARGETS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # [m/s] rms over contacts


def ladder(solve, longest, last=1 << 20):
    """Points (sweeps, seconds, rms) until a solve has taken `longest` seconds or reached the last target."""
    points, sweeps = [], 10
    while sweeps <= last:
        answer = solve(sweeps)
        points.append((answer["iterations"], answer["seconds"], answer["rms"]))
        if answer["seconds"] > longest or answer["rms"] <= TARGETS[-1]:
            break
        sweeps *= 2
    return points


def first_below(points, target):
    return next((seconds for _, seconds, rms in points if rms <= target), None)


class FrozenCase:
    work, unit = "W4", "ms"

    def __init__(self, balls, roll, longest, recover=True):
        self.columns, self.rows, self.pairs = balls
        self.roll, self.longest, self.recover = roll, longest, recover

    def sets(self, *more):
        if not self.recover:  # bodies at rest then meet all laws, so there is an answer
            more += ("steppers.cone.stabilisation=0",)
        changes = [f"parameters.columns={self.columns}", f"parameters.rows={self.rows}", f"parameters.pairs={self.pairs}",
                   f"parameters.roll={self.roll} mm", "parameters.spin=0 m", *more]
        return [word for change in changes for word in ("--set", change)]

    def drive(self, bench, program, *words):
        program = os.path.join(bench.programs, program)
        environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, preexec_fn=bench.pin,
                              env=environment)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr[-300:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def trundle(self, bench, form, sweeps):
        solver = "{ngs: {iterations: %d, tolerance: 1e-14, dense_limit: 0, factor_cost_limit: 0}}" % sweeps
        return self.drive(bench, "peer_frozen", "--scene", self.scene, "--load", self.snapshot, "--problem", self.problem,
                          *self.sets(f"steppers.cone.form={form}", f"steppers.cone.solver={solver}"))

    def prepare(self, bench):
        self.scene = os.path.join(bench.source, "scenes", "bench", "pile.yaml")
        self.snapshot, self.problem = bench.path("frozen.snapshot"), bench.path("problem")
        settled = FrozenCase((self.columns, self.rows, self.pairs), self.roll, self.longest)
        self.drive(bench, "peer_trundle", "--scene", self.scene, *settled.sets(), "--stepper", "cone", "--warmup", 100,
                   "--steps", 0, "--save", self.snapshot)
        return self.trundle(bench, "exact", 10)

    def row(self, peer, settings, version, points, remark=None):
        row = {"work": self.work, "what": self.what, "peer": peer, "settings": settings, "version": version, "seconds": None,
               "steps": None, "value": None, "unit": self.unit, "accuracy": {}, "ratio": None, "remark": remark,
               "curve": points}
        for target in TARGETS if points else ():
            seconds = first_below(points, target)
            row["accuracy"]["%.0e m/s in" % target] = "%.3g ms" % (1e3 * seconds) if seconds is not None else "-"
        if points:
            sweeps, seconds, rms = min(points, key=lambda point: point[2])
            row["accuracy"]["best"] = "%.2g m/s after %d sweeps, %.3g s" % (rms, sweeps, seconds)
            row["seconds"] = first_below(points, 1e-3)
            row["value"] = 1e3 * row["seconds"] if row["seconds"] is not None else None
        return row

    def run(self, bench):
        first = self.prepare(bench)
        law = "rolling, 5 rows, roll %g mm" % self.roll if self.roll else "Coulomb, 3 rows"
        left = "" if self.recover else ", overlaps left alone"
        self.what = f"a frozen problem of {first['contacts']} contacts, {law}{left}, from nothing: time to residual 1e-3 m/s"
        rows = []
        for form in ("exact", "relaxed"):
            points = ladder(lambda sweeps: self.trundle(bench, form, sweeps), self.longest)
            rows.append(self.row("Trundle", f"ngs, {form} form", first["version"], points))
        settings = "SICONOS_%sFRICTION_3D_NSGS" % ("ROLLING_" if self.roll else "")
        if os.access(os.path.join(bench.programs, "peer_siconos"), os.X_OK):
            law = "rolling" if self.roll else "coulomb"
            solve = lambda sweeps: self.drive(bench, "peer_siconos", self.problem, law, sweeps)
            version = solve(1)["version"]
            rows.append(self.row("Siconos", settings, version, ladder(solve, self.longest)))
        else:
            rows.append(self.row("Siconos", settings, None, [], "not installed"))
        for row in rows:
            row["ratio"] = row["value"] / rows[0]["value"] if row["value"] and rows[0]["value"] else None
        return rows


LARGE = (18, 15, 10)


def cases():
    recovering = [FrozenCase(balls, roll, longest) for balls, longest in (((4, 5, 1), 1.0), ((9, 10, 3), 3.0), (LARGE, 5.0))
                  for roll in (0, 10)]
    return recovering + [FrozenCase(LARGE, roll, 5.0, recover=False) for roll in (0, 10)]


def quick(bench):
    """A problem of a few contacts: our judge agrees with the solver's own account, and both solvers get near."""
    failed = 0
    for roll in (0, 10):
        alone = FrozenCase((3, 3, 1), roll, 1.0, recover=False)
        alone.prepare(bench)
        answer = alone.trundle(bench, "relaxed", 5000)
        good = answer["rms"] < 1e-6 and answer["least_speed"] == 0.0  # bodies at rest meet the laws: there is an answer
        failed += not good
        print(f"{'good' if good else 'BAD '} overlaps left alone, roll {roll} mm: {answer['rms']:.3g} m/s, at least "
              f"{answer['least_speed']:.3g} m/s")
        case = FrozenCase((3, 3, 1), roll, 1.0)
        case.prepare(bench)
        for form in ("exact", "relaxed"):
            answer = case.trundle(bench, form, 40)
            good = abs(answer["rms"] - answer["own_rms"]) <= 1e-9 * answer["own_rms"] and answer["rms"] > 0.0
            failed += not good
            print(f"{'good' if good else 'BAD '} judge of frozen problems, roll {roll} mm, {form}: {answer['rms']:.6g} m/s, "
                  f"by the solver {answer['own_rms']:.6g} m/s")
        if not os.access(os.path.join(bench.programs, "peer_siconos"), os.X_OK):
            print("Siconos: skipped: not installed")
            continue
        law = "rolling" if roll else "coulomb"
        few, many = (siconos_rms(case, bench, law, sweeps) for sweeps in (1, 2000))
        good = many < 1e-4 and many < 0.1 * few  # Gauss-Seidel must get nearer to what our judge calls a solution
        failed += not good
        print(f"{'good' if good else 'BAD '} Siconos ({law}): {few:.3g} m/s after 1 sweep, {many:.3g} m/s after 2000")
        apart, left = velocities_apart(case, bench, law)
        good = apart < 1e-7
        failed += not good
        print(f"{'good' if good else 'BAD '} Trundle (newton, exact form) and Siconos ({law}): velocities differ by at "
              f"most {apart:.3g} m/s, Siconos is {left:.3g} m/s from the laws")
    return failed


SWEEPS = 500000  # Gauss-Seidel creeps: 20 000 leave 1.2e-7 m/s of the Coulomb problem


def velocities_apart(case, bench, law):
    """Largest difference [m/s] between velocities of bodies that the two answers lead to, angular ones times the radius, and
    how far Siconos' answer is from the laws [m/s].

    Overlaps stay as they are: a jammed heap that is asked to come apart has no exact answer that anybody reaches."""
    ends = [bench.path("ends.trundle"), bench.path("ends.siconos")]
    case.drive(bench, "peer_frozen", "--scene", case.scene, "--load", case.snapshot, "--ends", ends[0],
               "--problem", case.problem,
               *case.sets("steppers.cone.form=exact", "steppers.cone.solver=newton", "steppers.cone.stabilisation=0"))
    peer = case.drive(bench, "peer_siconos", case.problem, law, SWEEPS, ends[1])
    answers = []
    for path in ends:
        with open(path, encoding="ascii") as file:
            answers.append([[float(word) for word in line.split()] for line in file])
    radius = 0.0225
    apart = max(abs(x - y) * (1.0 if k < 3 else radius) for a, b in zip(*answers) for k, (x, y) in enumerate(zip(a, b)))
    return apart, peer["rms"]


def siconos_rms(case, bench, law, sweeps):
    return case.drive(bench, "peer_siconos", case.problem, law, sweeps)["rms"]
