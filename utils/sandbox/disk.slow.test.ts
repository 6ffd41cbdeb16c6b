import { checkDisk } from "./hostile/check_disk.ts";

checkDisk("landlock", "all");
checkDisk("plain", "all");
