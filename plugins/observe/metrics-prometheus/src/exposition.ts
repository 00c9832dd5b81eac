import type { Labels, MetricFamily, Sample } from "@plinth/core/kernel";

/** The content type of the text. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in the Prometheus text format 0.0.4. */
export function formatMetrics(families: readonly MetricFamily[]): string {
  return families.map(formatFamily).join("");
}

function formatFamily({ name, help, type, samples }: MetricFamily): string {
  const lines = samples.flatMap((sample) => formatSample(name, sample));
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function formatSample(name: string, { labels, value, count, buckets }: Sample): readonly string[] {
  if (buckets === undefined || count === undefined) return [formatLine(name, labels, value)];
  const bounds = [...buckets, [Number.POSITIVE_INFINITY, count] as const];
  return [
    ...bounds.map(([bound, below]) =>
      formatLine(`${name}_bucket`, { ...labels, le: formatNumber(bound) }, below),
    ),
    formatLine(`${name}_sum`, labels, value),
    formatLine(`${name}_count`, labels, count),
  ];
}

function formatLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  const braces = pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  return `${name}${braces} ${formatNumber(value)}\n`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
