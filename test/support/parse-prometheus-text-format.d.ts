/** The library has no types of its own. */
declare module "parse-prometheus-text-format" {
  /** A metric as a client of Prometheus reads it. */
  export interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly {
      readonly value?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly buckets?: Readonly<Record<string, string>>;
    }[];
  }

  export default function parse(text: string): readonly ParsedFamily[];
}
