import { readdirSync, readFileSync } from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";
import type { PluginMetrics } from "@plinth/core";
import type { Reader } from "./chain-metrics.js";

/** Names of the garbage collection kinds. */
const PASSES: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weak",
};

/** Metrics of the process, under the usual names of Prometheus clients. */
export function measureProcess(metrics: PluginMetrics, reader: Reader): void {
  const area = metrics.area("process");
  const started = Date.now() / 1000 - process.uptime();

  area.counter({
    name: "cpu_seconds",
    help: "CPU time of the process.",
    collect: reader(() => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }),
  });
  area.gauge({
    name: "start_time_seconds",
    help: "Start time of the process, in seconds since 1970.",
    collect: reader(() => started),
  });
  area.gauge({
    name: "resident_memory_bytes",
    help: "Resident memory of the process.",
    collect: reader(() => process.memoryUsage.rss()),
  });
  area.gauge({
    name: "open_fds",
    help: "Open files and connections.",
    collect: reader(() => onLinux(() => readdirSync("/proc/self/fd").length)),
  });
  area.gauge({
    name: "max_fds",
    help: "Maximum number of open files and connections.",
    collect: reader(() => onLinux(readMaxFiles)),
  });
  area.gauge({
    name: "release",
    help: "The running version.",
    labels: ["version"],
    collect: reader(({ clientVersion }) => [{ labels: { version: clientVersion }, value: 1 }]),
  });
}

/** Metrics of memory under the names that dashboards expect. */
export function measureMemory(metrics: PluginMetrics, reader: Reader): void {
  metrics.area("jvm").gauge({
    name: "memory_bytes_used",
    help: "Memory of the heap, and memory held outside of it.",
    labels: ["area"],
    collect: reader(() => {
      const { heapUsed, external } = process.memoryUsage();
      return [
        { labels: { area: "heap" }, value: heapUsed },
        { labels: { area: "nonheap" }, value: external },
      ];
    }),
  });
}

/** Measures garbage collections until the returned function is called. */
export function watchCollector(metrics: PluginMetrics): () => void {
  const times = metrics.area("jvm").histogram({
    name: "gc_collection_seconds",
    help: "Duration of garbage collections.",
    labels: ["gc"],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = Object(Reflect.get(entry, "detail"));
      times.observe(entry.duration / 1000, { gc: PASSES[kind] ?? "other" });
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

/** Other systems have no such files. */
function onLinux(read: () => number): number | readonly [] {
  return process.platform === "linux" ? read() : [];
}

function readMaxFiles(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
