/** What `own_file.test.ts` checks of one project a framework or a language, of all; of some layouts in a copy, of each. */

import { checkCopies, checkNoRepair, checkRepair, checkUnasked, openForFile } from "./testing/check_project.ts";
import { IN_COPIES, OF_FRAMEWORKS, OF_LANGUAGES, OF_PYTEST, PROJECTS } from "./testing/projects.ts";

const repairs = openForFile();

checkRepair(OF_PYTEST, repairs);
checkNoRepair(
  PROJECTS.filter((project) => !OF_LANGUAGES.includes(project)),
  repairs,
);
checkUnasked(
  PROJECTS.filter((project) => !OF_FRAMEWORKS.includes(project)),
  repairs,
);
checkCopies("landlock", IN_COPIES.slice(2), repairs);
checkCopies("plain", [...IN_COPIES.slice(0, 2), ...IN_COPIES.slice(4)], repairs);
