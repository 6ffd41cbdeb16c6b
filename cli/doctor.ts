export { command, main } from "../eval/report.ts";
