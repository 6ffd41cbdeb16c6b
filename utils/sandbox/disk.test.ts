import { checkDisk } from "./hostile/check_disk.ts";

checkDisk("landlock", "self");
