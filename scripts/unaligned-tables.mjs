// A plugin of prettier that leaves the tables of Markdown files as they are written. Aligned, a change of one
// cell would change every row, and the longest cell would set the width of all.
import * as markdown from "prettier/plugins/markdown";

const FORMAT = "mdast-unaligned";
const standard = markdown.printers.mdast;

/** The parser of Markdown, for the printer below. */
export const parsers = { markdown: { ...markdown.parsers.markdown, astFormat: FORMAT } };

/** The printer of Markdown, except for tables. */
export const printers = {
  [FORMAT]: {
    ...standard,
    print(path, options, print, args) {
      const { node } = path;
      if (node.type !== "table") return standard.print(path, options, print, args);
      const { start, end } = node.position;
      return options.originalText.slice(start.offset, end.offset);
    },
  },
};
