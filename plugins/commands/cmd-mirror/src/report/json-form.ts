import type { ReportForm } from "./report-form.js";
import { TEXT_FORM } from "./text-form.js";
import { exitCodeOf } from "./verdict.js";

/** The report for programs: one JSON object per line. */
export const JSON_FORM: ReportForm = {
  difference: (difference) => toLine({ event: "difference", ...difference }),
  reorganization: ({ ancestor, head }) =>
    toLine({
      event: "reorganization",
      ancestor: { block: ancestor.number, blockHash: ancestor.hash },
      head: { block: head.number, blockHash: head.hash },
    }),
  obstacle: (obstacle) => toLine({ event: "obstacle", ...obstacle }),
  progress: ({ number, target }) =>
    toLine({ event: "progress", block: number, networkHead: target }),
  status: (position) => TEXT_FORM.status(position),
  verdict: (verdict, seconds) =>
    toLine({ event: "verdict", exitCode: exitCodeOf(verdict), ...verdict, seconds }),
};

function toLine(value: object): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? Number(member) : member,
  );
}
