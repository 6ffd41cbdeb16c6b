/** Everyday programs and what holds of them, in a judge as in one process with their tests. */

/** Before every program and every test. */
export const IMPORTS = `
import collections, dataclasses, datetime, decimal, enum, fractions, inspect, itertools, typing
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import date, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from fractions import Fraction
from typing import NamedTuple
`;

export interface Everyday {
  name: string;
  /** Source that defines `f`. */
  program: string;
  /** Tests that the program passes. */
  right: string[];
  /** Tests that it fails. */
  wrong: string[];
}

/** A program that returns a value, whatever it is called with; before it, what the value needs. */
export const returning = (name: string, value: string, right: string[], wrong: string[], before = ""): Everyday => ({
  name,
  program: `${before}\ndef f(*given):\n    return ${value}\n`,
  right,
  wrong,
});

/** A program that works on an argument `x` in these lines. */
export const doing = (name: string, body: string, right: string[], wrong: string[]): Everyday => ({
  name,
  program: `def f(x, *more):\n    ${body.replaceAll("\n", "\n    ")}\n`,
  right,
  wrong,
});
