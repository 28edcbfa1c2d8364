import sys
from collections import defaultdict


class Ledger:
    def __init__(self, path, currency="EUR"):
        self.path = path
        self.currency = currency
        self.accounts = defaultdict(list)

    def load(self):
        with open(self.path) as file:
            for number, line in enumerate(file, start=1):
                name, _, amount = line.partition(";")
                try:
                    self.accounts[name.strip()].append(float(amount))
                except ValueError:
                    print(f"{self.path}:{number}: {amount!r}", file=sys.stderr)
        return self

    def total(self, name):
        return sum(self.accounts.get(name, [0.0]))

    def report(self):
        for name in sorted(self.accounts):
            print(f"{name:<20}{self.total(name):>12.2f} {self.currency}")


if __name__ == "__main__":
    Ledger(sys.argv[1]).load().report()
