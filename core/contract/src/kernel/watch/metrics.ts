import { ConfigError } from "../errors.js";

/** Labels that distinguish the series of one metric. */
export type Labels = Readonly<Record<string, string>>;

/** The description of a metric. */
export interface MetricSettings {
  /** Snake case, the unit last: `import_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A counter: a number that only increases. */
export interface Counter {
  increment(amount?: number, labels?: Labels): void;
}

/** A gauge: a number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
}

/** A histogram: a distribution of values. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** Returns a value on collection, or the series of a metric with labels; an empty list for none. */
export type Collect = () => number | readonly Sample[];

/** The metrics available in `setup`; their names contain the plugin's. */
export interface PluginMetrics {
  counter(settings: MetricSettings & { readonly collect?: Collect }): Counter;
  gauge(settings: MetricSettings & { readonly collect?: Collect }): Gauge;
  histogram(settings: MetricSettings & { readonly buckets?: readonly number[] }): Histogram;
  /**
   * The same for metrics named after a part of the node that is not a plugin.
   *
   * Plugins that declare the same one share it, unless its value is read by `collect`.
   */
  area(name: string): PluginMetrics;
}

/** One series of a metric. Histograms have `buckets` and `count` besides their sum. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly count?: number;
  /** Number of values up to each bound. */
  readonly buckets?: readonly (readonly [bound: number, count: number])[];
}

/** A metric as exporters read it. */
export interface MetricFamily {
  readonly plugin: string;
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** The suffix of exported counters; not added twice. */
const COUNTER_SUFFIX = "_total";
const DEFAULT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** All metrics of a node. */
export class MetricsRegistry {
  readonly #families = new Map<string, () => MetricFamily>();
  /** Metrics of areas, which several plugins may declare and share. */
  readonly #shared = new Map<string, Series>();

  /** The view of one plugin, or of an area of the core. */
  for(plugin: string, isArea = false): PluginMetrics {
    return {
      counter: (settings) => {
        const series = this.#find(plugin, "counter", settings, isArea);
        return { increment: (amount = 1, labels = {}) => series.change(labels, (n) => n + amount) };
      },
      gauge: (settings) => {
        const series = this.#find(plugin, "gauge", settings, isArea);
        return { set: (value, labels = {}) => series.change(labels, () => value) };
      },
      histogram: ({ buckets = DEFAULT_BUCKETS, ...settings }) =>
        this.#addHistogram(plugin, settings, buckets),
      area: (name) => this.for(name, true),
    };
  }

  /** All metrics with their current values, sorted by name. */
  collect(): readonly MetricFamily[] {
    const families = [...this.#families.values()].map((read) => read());
    return families.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #find(
    plugin: string,
    type: "counter" | "gauge",
    settings: MetricSettings & { readonly collect?: Collect },
    isArea: boolean,
  ): Series {
    const { collect } = settings;
    if (!isArea || collect !== undefined) return this.#add(plugin, type, settings, collect);
    const key = `${plugin} ${type} ${settings.name}`;
    const series = this.#shared.get(key) ?? this.#add(plugin, type, settings);
    this.#shared.set(key, series);
    return series;
  }

  #add(plugin: string, type: "counter" | "gauge", settings: MetricSettings, collect?: Collect) {
    const series = new Series(settings);
    const name = this.#claim(plugin, settings, type === "counter" ? COUNTER_SUFFIX : "");
    this.#families.set(name, () => {
      const samples = collect === undefined ? series.samples() : samplesOf(collect());
      return { plugin, name, type, help: settings.help, samples };
    });
    return series;
  }

  #addHistogram(plugin: string, settings: MetricSettings, bounds: readonly number[]): Histogram {
    const distributions = new Map<string, Distribution>();
    const name = this.#claim(plugin, settings, "");
    this.#families.set(name, () => ({
      plugin,
      name,
      type: "histogram",
      help: settings.help,
      samples: [...distributions.values()].map((distribution) => distribution.sample()),
    }));
    return {
      observe(value, labels = {}) {
        const key = keyOf(settings, labels);
        let distribution = distributions.get(key);
        if (distribution === undefined) {
          distribution = new Distribution(labels, bounds);
          distributions.set(key, distribution);
        }
        distribution.observe(value);
      },
    };
  }

  #claim(plugin: string, { name }: MetricSettings, suffix: string): string {
    const ending = name.endsWith(suffix) ? "" : suffix;
    const full = `plinth_${plugin.replaceAll("-", "_")}_${name}${ending}`;
    if (!NAME.test(name) || this.#families.has(full)) {
      throw new ConfigError("METRIC_INVALID", {
        message: NAME.test(name)
          ? `${plugin} declares the metric ${name} twice`
          : `${plugin} declares the metric "${name}"; expected snake case such as "import_seconds"`,
        plugin,
      });
    }
    return full;
  }
}

class Series {
  readonly #settings: MetricSettings;
  readonly #values = new Map<string, { labels: Labels; value: number }>();

  constructor(settings: MetricSettings) {
    this.#settings = settings;
  }

  change(labels: Labels, next: (value: number) => number): void {
    const key = keyOf(this.#settings, labels);
    const entry = this.#values.get(key);
    if (entry === undefined) this.#values.set(key, { labels, value: next(0) });
    else entry.value = next(entry.value);
  }

  samples(): readonly Sample[] {
    return [...this.#values.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

class Distribution {
  readonly #labels: Labels;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const index = this.#bounds.findIndex((bound) => value <= bound);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  sample(): Sample {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index] ?? 0;
      return [bound, below] as const;
    });
    return { labels: this.#labels, value: this.#sum, count: this.#count, buckets };
  }
}

function samplesOf(collected: ReturnType<Collect>): readonly Sample[] {
  return typeof collected === "number" ? [{ labels: {}, value: collected }] : collected;
}

function keyOf({ labels: names = [] }: MetricSettings, labels: Labels): string {
  const [only] = names;
  if (names.length === 1 && only !== undefined) return labels[only] ?? "";
  return names.map((name) => labels[name] ?? "").join("\u0000");
}
