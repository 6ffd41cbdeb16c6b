import { checkChildren } from "./hostile/check_children.ts";

checkChildren("nobody");
