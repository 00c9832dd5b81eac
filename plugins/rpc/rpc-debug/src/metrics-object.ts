import type { MetricFamily, Sample } from "@plinth/core/kernel";

type Tree = { [name: string]: unknown };

/** Metrics as one object: by category, by name, and by label values. */
export function metricsObject(families: readonly MetricFamily[]): object {
  const tree: Tree = {};
  for (const { plugin, name: fullName, samples } of families) {
    // The category is a level above already.
    const name = fullName.replace(`plinth_${plugin.replaceAll("-", "_")}_`, "");
    for (const sample of samples)
      put(tree, [plugin, name, ...Object.values(sample.labels)], sample);
  }
  return tree;
}

/** A value next to nested values is called `value`. */
function put(tree: Tree, path: readonly string[], sample: Sample): void {
  const [name = "value", ...rest] = path;
  const there = tree[name];
  if (rest.length === 0) {
    tree[name] = isTree(there) ? { ...there, value: figuresOf(sample) } : figuresOf(sample);
    return;
  }
  const inner: Tree = isTree(there) ? there : there === undefined ? {} : { value: there };
  tree[name] = inner;
  put(inner, rest, sample);
}

function figuresOf({ value, count, buckets }: Sample): unknown {
  if (buckets === undefined) return value;
  const bounds = buckets.map(([bound, at]) => [
    bound === Number.POSITIVE_INFINITY ? "+Inf" : bound,
    at,
  ]);
  return { bucket: { ...Object.fromEntries(bounds), "+Inf": count }, count, sum: value };
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}
