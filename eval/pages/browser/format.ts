/** Times and outcomes as pages show them. */

/** `2026-01-02 03:04` of an ISO time. */
export const minute = (time: string): string => time.slice(0, 16).replace("T", " ");

/** The class of an outcome: its colour. */
export const tone = (outcome: string): "pass" | "fail" | "error" =>
  outcome === "passed" ? "pass" : outcome === "error" ? "error" : "fail";

export const mark = (outcome: string): string => ({ pass: "✓", fail: "✗", error: "!" })[tone(outcome)];
