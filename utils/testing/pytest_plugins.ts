/**
 * For tests: how projects tell pytest to load no plugins but its own. Others take more than a second where they are
 * installed, as they come with other packages.
 */

const ONLY_ITS_OWN = "-p no:benchmark -p no:hypothesispytest -p no:anyio";

/** A file of the project. */
export const PYTEST_INI = { "pytest.ini": `[pytest]\naddopts = ${ONLY_ITS_OWN}\n` };

/** Environment of the command, where the project's files must not say it. */
export const PYTEST_ENVIRONMENT = { PYTEST_ADDOPTS: ONLY_ITS_OWN };
