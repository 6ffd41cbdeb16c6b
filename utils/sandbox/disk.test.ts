// @module-tag deep
import { checkDisk } from "./testing/hostile/check_disk.ts";

checkDisk("landlock", "self");
