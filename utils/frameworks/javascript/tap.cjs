// Reads what tape prints, line by line: which tests there are, by title, and how each ended.
exports.Tap = class Tap {
  constructor() {
    this.tests = new Map(); // {"status", "message"} by title
    this.current = null; // title of the test under way
  }

  read(line) {
    const [, title] = /^# (.*)$/.exec(line) ?? [];
    const [, not, , said] = /^(not )?ok (\d+) ?(.*)$/.exec(line) ?? [];
    if (title !== undefined && !/^(?:tests|pass|fail|ok|skip|todo)\b\s*\d*\s*$/.test(title)) this.current = title.replace(/^SKIP /, "");
    else if (this.current === null) return;
    else if (said !== undefined) {
      const known = this.tests.get(this.current) ?? { status: "passed", message: "" };
      const fails = not && !/# (?:TODO|SKIP)/.test(said) && known.status === "passed";
      this.tests.set(this.current, fails ? { status: "failed", message: said } : known);
    } else {
      const test = this.tests.get(this.current);
      if (test?.status === "failed" && test.message.length < 600 && /^\s+(?:expected|actual|at):|^\s{6,}/.test(line)) test.message += `\n${line.trim()}`;
    }
  }
};
