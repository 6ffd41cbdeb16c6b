// Reads what programs print that speak as tape does, line by line: which tests there are, by title, and how each ended. A title
// that occurs again is followed by ` (2)`, and so on.
exports.Tap = class Tap {
  constructor() {
    this.tests = new Map(); // {"status", "message", "title"} by title
    this.taken = new Map(); // how often a title occurred
    this.title = "";
    this.current = null; // title of the test under way
  }

  begin(title) {
    const count = (this.taken.get(title) ?? 0) + 1;
    this.taken.set(title, count);
    this.title = title;
    this.current = count === 1 ? title : `${title} (${count})`;
  }

  read(line) {
    const [, title] = /^# (.*)$/.exec(line) ?? [];
    const [, not, , said] = /^(not )?ok (\d+) ?(.*)$/.exec(line) ?? [];
    if (title !== undefined && !/^(?:tests|pass|fail|ok|skip|todo)\b\s*\d*\s*$/.test(title)) this.begin(title.replace(/^SKIP /, ""));
    else if (this.current === null) return;
    else if (said !== undefined) {
      const known = this.tests.get(this.current) ?? { status: "passed", message: "", title: this.title };
      const fails = not && !/# (?:TODO|SKIP)/.test(said) && known.status === "passed";
      this.tests.set(this.current, fails ? { ...known, status: "failed", message: said } : known);
    } else {
      const test = this.tests.get(this.current);
      if (test?.status === "failed" && test.message.length < 600 && /^\s+(?:expected|actual|at):|^\s{6,}/.test(line)) test.message += `\n${line.trim()}`;
    }
  }
};
