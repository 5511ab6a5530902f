"""Looks for failures: builds packages, runs scripts in every pair, shrinks what fails, keeps it."""

import json
import random
import shutil

from mixer import packages, scripts, shrink
from mixer.packages import Package
from mixer.running import PLACES, Mixture, Pair
from mixer.writers import NAMES

THREADS = 3  # in every other script


class Finder:
    """Tries seeds, and counts what it did."""

    def __init__(self, work, stage, keep, names=NAMES, options=()):
        self.work, self.stage, self.keep = work, stage, keep
        self.names, self.options = names, options
        self.counts = {"packages": 0, "pairs": 0, "steps": 0}

    def mixture(self, package, folder, names=None):
        """Builds a package, in all languages or in these."""
        work = self.work / folder
        return Mixture(package, work, self.stage, names or self.names, self.options).build()

    def report(self):
        """What was done so far."""
        return ", ".join(f"{number} {what}" for what, number in self.counts.items())

    def try_seed(self, seed, size, steps, rounds, features=packages.FEATURES):
        """Complaints about the package of a seed: one for each pair that fails."""
        package = packages.Maker(seed, features, size).make()
        mixture = self.mixture(package, f"seed{seed}")
        connections = random.Random(seed).choice([1, 2, 4])
        mixture.settings = {"SIDL_RMI_CONNECTIONS": str(connections)}
        self.counts["packages"] += 1
        found = []
        for pair in mixture.pairs():
            self.counts["pairs"] += 1
            for number in range(rounds):
                places = (0, 1) if PLACES[pair.place] else (0,)
                threads = THREADS if number % 2 else 0
                script = scripts.make(package, f"{seed}/{number}", steps, places, threads)
                self.counts["steps"] += len(script)
                if complaint := mixture.complaint(pair, script):
                    found.append(self.found(seed, mixture, pair, script, complaint))
                    break
        if not found:
            shutil.rmtree(mixture.work)
        return found

    def found(self, seed, mixture, pair, script, complaint):
        """Shrinks and keeps a failure; what to say of it."""
        script = shrink.fewer(script, lambda steps: mixture.complaint(pair, steps) != "")
        package, steps = shrink.smaller(mixture.package, script)
        case = {"seed": seed, "pair": [pair.caller, pair.callee, pair.place], "says": complaint}
        case["settings"] = mixture.settings
        if not self.small_one_fails(package, steps, pair, mixture.settings):
            package, steps = mixture.package, script
        case |= {"steps": steps, "package": package.as_json()}
        self.keep.mkdir(parents=True, exist_ok=True)
        path = self.keep / f"seed{seed}-{pair}.json"
        path.write_text(json.dumps(case, indent=1) + "\n")
        return f"{path}: SHINAR_MIXTURES_SEED={seed}, {pair}, {len(steps)} steps: {complaint}"

    def small_one_fails(self, package, steps, pair, settings):
        """Whether a package that was made smaller fails, too."""
        shutil.rmtree(self.work / "small", ignore_errors=True)
        small = self.mixture(package, "small", list(dict.fromkeys([pair.caller, pair.callee])))
        small.settings = settings
        return small.complaint(pair, steps) != ""

    def replay(self, cases):
        """Complaints about cases that were kept. Those that can be are built as one package."""
        cases = [case for case in cases if set(case["pair"][:2]) <= set(self.names)]
        found = []
        for later in sorted({case["package"]["later"] for case in cases}):
            group = [case for case in cases if case["package"]["later"] == later]
            known = [(Package.from_json(case["package"]), case["steps"]) for case in group]
            package, steps = shrink.merge(known)
            pairs = [Pair(*case["pair"]) for case in group]
            names = sorted({name for pair in pairs for name in (pair.caller, pair.callee)})
            mixture = self.mixture(package, f"cases{later}", names)
            for case, pair, script in zip(group, pairs, steps):
                mixture.settings = case.get("settings", {})
                if complaint := mixture.complaint(pair, script):
                    found.append(f"{pair} {script}: {complaint}")
        return found
