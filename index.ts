export { repair } from "./agent/repair.ts";
