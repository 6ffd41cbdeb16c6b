/** Searches a text from left to right for several patterns at once. */

/** Finds a pattern's next match; remembers it, so that asking again and again stays linear. */
export class Finder {
  private readonly pattern: RegExp;
  private readonly text: string;
  private found: RegExpExecArray | null = null;
  private searchedFrom = -1;

  constructor(text: string, pattern: RegExp) {
    this.text = text;
    this.pattern = new RegExp(pattern.source, pattern.flags);
  }

  /** The first match at or after `at` that starts before `limit`. */
  next(at: number, limit: number): { at: number; end: number } | null {
    if (this.searchedFrom === -1 || (this.found !== null && this.found.index < at)) {
      this.pattern.lastIndex = at;
      this.searchedFrom = at;
      this.found = this.pattern.exec(this.text);
    }
    return this.found && this.found.index < limit
      ? { at: this.found.index, end: this.found.index + this.found[0].length }
      : null;
  }
}
