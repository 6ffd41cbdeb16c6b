/** What `own_file.test.ts` checks of one project a framework, of all; of some layouts in a copy, of each. */

import { checkCopies, checkRefusals, openForFile } from "./testing/check_project.ts";
import { IN_COPIES, OF_FRAMEWORKS, PROJECTS } from "./testing/projects.ts";

const repairs = openForFile();

checkRefusals(
  PROJECTS.filter((project) => !OF_FRAMEWORKS.includes(project)),
  repairs,
);
checkCopies("landlock", IN_COPIES.slice(3), repairs);
checkCopies("plain", IN_COPIES.slice(0, 3), repairs);
