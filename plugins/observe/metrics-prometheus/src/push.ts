import { messageOf, type OptionValues, type PluginNode, type Runtime } from "@plinth/core";
import { type ExportSettings, exportMetrics } from "./exporter.js";
import { CONTENT_TYPE } from "./exposition.js";
import type { options } from "./options.js";

type Config = OptionValues<typeof options>;
// biome-ignore lint/complexity/noBannedTypes: no dependencies is the empty object, nothing else
type Registering = Pick<PluginNode<typeof options, {}>, "metrics" | "log" | "onStart" | "onStop">;

/** Time limit of the gateway at the end. */
const FAREWELL_MS = 5000;

/** Sends metrics to a push gateway periodically; the job is deleted when the node stops. */
export function pushMetrics(node: Registering, config: Config, exported: ExportSettings): void {
  const { metrics, log } = node;
  const url = jobUrl(config);
  const intervalMs = config.metricsPushInterval * 1000;
  const pushes = metrics.counter({
    name: "pushes",
    help: "Number of pushes to the push gateway.",
    labels: ["outcome"],
  });
  let isFailing = false;

  const push = async (runtime: Runtime) => {
    try {
      const body = exportMetrics(runtime, exported);
      await send(url, { method: "PUT", body, limitMs: intervalMs, signal: runtime.signal });
      pushes.increment(1, { outcome: "taken" });
      log.debug(`sent ${body.length} characters of metrics to ${url}`);
      if (isFailing) log.info(`the push gateway ${url} accepts metrics again`);
      isFailing = false;
    } catch (error) {
      if (runtime.signal.aborted) return;
      pushes.increment(1, { outcome: "failed" });
      // Logged once, not on every attempt until the gateway responds.
      if (!isFailing)
        log.warn(`the push gateway ${url} does not accept metrics: ${messageOf(error)}`);
      isFailing = true;
    }
  };

  node.onStart((runtime) => {
    runtime.tasks.run("pushing metrics", async (signal) => {
      await runtime.clock.sleep(intervalMs / 2, signal);
      while (!signal.aborted) {
        await push(runtime);
        await runtime.clock.sleep(intervalMs, signal);
      }
    });
  });
  node.onStop(async () => {
    try {
      await send(url, { method: "DELETE", limitMs: FAREWELL_MS });
    } catch (error) {
      log.warn(
        `cannot delete the metrics of this node from the push gateway ${url}: ${messageOf(error)}`,
      );
    }
  });
}

function jobUrl({ metricsPushHost, metricsPushPort, metricsPushPrometheusJob }: Config): string {
  const host = metricsPushHost.includes(":") ? `[${metricsPushHost}]` : metricsPushHost;
  const job = encodeURIComponent(metricsPushPrometheusJob);
  return `http://${host}:${metricsPushPort}/metrics/job/${job}`;
}

interface Message {
  readonly method: "PUT" | "DELETE";
  readonly body?: string;
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

async function send(url: string, { method, body, limitMs, signal }: Message): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  const response = await fetch(url, {
    method,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    ...(body === undefined ? {} : { body, headers: { "content-type": CONTENT_TYPE } }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`it returned ${response.status}`);
}
