import { h, svg } from "../dom.js";

const WIDTH = 720;
const HEIGHT = 120;

/** A bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A chart of bars, with what it shows in words. */
export function chart(settings: {
  readonly title: string;
  readonly summary: string;
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
}): HTMLElement {
  const { title, summary, bars, format } = settings;
  const highest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const step = WIDTH / Math.max(bars.length, 1);
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `${title}: ${summary}`,
      preserveAspectRatio: "none",
    },
    ...bars.map(({ label, value }, index) => {
      const height = Math.max((value / highest) * (HEIGHT - 4), value > 0 ? 2 : 0);
      const bar = {
        x: (index * step + step * 0.1).toFixed(2),
        y: (HEIGHT - height).toFixed(2),
        width: (step * 0.8).toFixed(2),
        height: height.toFixed(2),
        rx: 1.5,
      };
      return svg("rect", bar, svg("title", {}, `${label}: ${format(value)}`));
    }),
  );
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, h("strong", {}, title), h("span", { class: "dim" }, summary)),
    drawing,
    h(
      "div",
      { class: "axis dim", "aria-hidden": "true" },
      h("span", {}, bars[0]?.label ?? ""),
      h("span", {}, `highest ${format(highest)}`),
      h("span", {}, bars.at(-1)?.label ?? ""),
    ),
  );
}
