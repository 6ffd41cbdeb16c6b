import { errorCode } from "../data/errors.ts";

/** Whether a process of this number runs, of any user. Those of other machines and containers are not seen. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
