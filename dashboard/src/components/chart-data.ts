/** The data of a chart. */

/** One color of the bars. */
export interface Series {
  name: string;
  color: string;
}

/** One bar: a number per series, in their order. */
export interface Bar {
  /** The heading of the tooltip: "10:00 to 11:00". */
  title: string;
  /** The label under the bar. Labels that would overlap are left out. */
  tick?: string | undefined;
  values: readonly number[];
}
