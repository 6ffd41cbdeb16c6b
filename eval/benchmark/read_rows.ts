/** Reads the rows of a dataset: a row that is of no use is left out by its name, with the reason. */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { checkRecord, isRecord } from "../../utils/base/data/record.ts";
import { plural } from "../../utils/base/text/format.ts";
import { inLine } from "../../utils/base/text/text.ts";
import { rowsIn } from "./files/rows.ts";
import { leftOut, type Remark } from "./remarks.ts";

export interface RowReader<Row, Made> {
  schema: z.ZodType<Row>;
  /** The id of the row's task, from whatever the file holds; undefined if it has none. */
  idOf(value: Readonly<Record<string, unknown>>): string | undefined;
  /**
   * What the row gives; or a sentence that says why nothing. A UserError says the same.
   * @param text the row as JSON, as the file has it, @param position of the row, from 0
   */
  make(row: Row, text: string, position: number): readonly Made[] | string | Promise<readonly Made[] | string>;
}

export interface RowsRead<Made> {
  tasks: Made[];
  /** On rows that are left out. */
  remarks: Remark[];
  /** Ids of all rows in their order, of those left out too. */
  order: string[];
}

/** A field that is a text, also where a file has it as a number. */
export const TextOrNumber = z.union([z.string(), z.number().transform(String)], "it is not text");

/** A field as part of an id. */
export const idField = (value: Readonly<Record<string, unknown>>, ...names: string[]): string | undefined => {
  const field = names.map((name) => value[name]).find((one) => one !== undefined && one !== null && one !== "");
  return typeof field === "string" || typeof field === "number" ? String(field) : undefined;
};

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** @returns the day as `2024-08-31`, @throws UserError if the text is none */
export function readDay(text: string, what: string): string {
  const day = DAY.exec(text)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day)))
    throw new UserError(`${what} is a day such as 2024-08-31, not "${inLine(text)}".`);
  return day;
}

/** A model cannot have seen what came after its training. @throws UserError if `published` is not a day */
export const publishedAfter = (published: string, after: string): boolean => readDay(published, "its date") > after;

/**
 * @throws UserError if the file cannot be read, holds no rows, or none of its rows is of any use
 */
export async function readRows<Row, Made>(file: string, reader: RowReader<Row, Made>): Promise<RowsRead<Made>> {
  const read: RowsRead<Made> = { tasks: [], remarks: [], order: [] };
  const places = new Map<string, string>();
  for await (const row of rowsIn(file)) {
    const value = row.problem === undefined ? row.value : undefined;
    const id = isRecord(value) ? reader.idOf(value) : undefined;
    const name = id ?? row.place;
    const before = id === undefined ? undefined : places.get(id);
    const position = read.order.length;
    read.order.push(name);
    const made: readonly Made[] | string =
      row.problem ??
      (before === undefined
        ? await madeOf(row.value, row.text ?? JSON.stringify(row.value), position, reader)
        : `another row has the same id (${before})`);
    if (typeof made !== "string") {
      read.tasks.push(...made);
      if (id !== undefined) places.set(id, row.place);
    } else {
      read.remarks.push(leftOut(before === undefined ? name : `${name} (${row.place})`, made.replace(/\.$/, "")));
    }
  }
  requireSome(file, read);
  return read;
}

async function madeOf<Row, Made>(
  value: unknown,
  text: string,
  position: number,
  { schema, make }: RowReader<Row, Made>,
): Promise<readonly Made[] | string> {
  const checked = checkRecord(value, schema);
  if (checked.problem !== undefined) return checked.problem;
  try {
    return await make(checked.data, text, position);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

function requireSome(file: string, { remarks: [first, ...others], order }: RowsRead<unknown>): void {
  if (order.length === 0) throw new UserError(`${inLine(file)} holds no tasks.`);
  if (first === undefined || others.length + 1 < order.length) return;
  const what = order.length === 1 ? "its only row is" : `all of its ${plural(order.length, "row")} are`;
  const which = order.length === 1 ? "" : "The first of them, ";
  const told = `${inLine(first.id)}: ${first.reason}`;
  throw new UserError(`${inLine(file)} has no row that can be used: ${what} left out. ${which}${told}`);
}
