/** What the tests of well-known repositories need and their own files do not say: a row each. */

interface Pins {
  /** The Python that its tests are run with. */
  python: string;
  /** Versions that go with it, where packages are those of today. */
  packages: readonly string[];
}

/** Source: the harness of SWE-bench (`swebench/harness/constants/python.py`); docutils as it was then. */
export const PINS: Readonly<Record<string, Pins>> = {
  "sphinx-doc/sphinx": {
    python: "3.9",
    packages: [
      ...["tox==4.16.0", "tox-current-env==0.0.11", "Jinja2==3.0.3", "alabaster<0.7.12", "docutils<0.22"],
      ...["sphinxcontrib-applehelp<=1.0.7", "sphinxcontrib-devhelp<=1.0.5", "sphinxcontrib-qthelp<=1.0.6"],
      ...["sphinxcontrib-htmlhelp<=2.0.4", "sphinxcontrib-serializinghtml<=1.1.9"],
    ],
  },
};
