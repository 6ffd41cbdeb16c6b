/** The tests of `real_world/` as a script. */

/**
 * An import of the file by its name finds the program itself, then test functions and classes run.
 * @param moduleName name of the user's file without `.py`
 */
export function testScript(tests: string, moduleName: string): string {
  const alias = `import sys\nsys.modules[${JSON.stringify(moduleName)}] = sys.modules["__main__"]`;
  const functions = 'for name in [name for name in dir() if name.startswith("test_")]:\n    eval(name)()';
  const classes = 'import unittest\nunittest.main(argv=["tests"], exit=False)';
  const runs = [/^(async )?def test_/m.test(tests) && functions, /\bTestCase\b/.test(tests) && classes];
  return [alias, tests, ...runs.filter(Boolean)].join("\n");
}
