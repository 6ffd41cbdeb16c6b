import { checkChildren } from "../testing/hostile/check_children.ts";

checkChildren("nobody");
