/** What two runs have in common: whether their models were shown the same, and every setting that differs. */

import { type Manifest, type SettingDifference, settingsThatDiffer } from "../manifest.ts";

export interface Difference extends SettingDifference {
  /** True where it changes what the models were shown: then the scores do not compare. */
  material: boolean;
}

/** Settings that decide what a model is shown. */
const MATERIAL = /^(protocol|shown|dataset\.sha256|few_shot(\..*)?)$/;
/** Not a setting, or said elsewhere: which samples there are, and the name of a dataset whose content is the same. */
const SILENT = /^(samples|dataset\.name)$/;

/** What differs, what was shown first. */
export function differences(a: Manifest, b: Manifest): Difference[] {
  return settingsThatDiffer(a.decides, b.decides)
    .filter(({ setting }) => !SILENT.test(setting))
    .map((difference) => ({ ...difference, material: MATERIAL.test(difference.setting) }))
    .sort((x, y) => Number(y.material) - Number(x.material));
}
