// The CPU profile of a process that was started with `--inspect`, with the source files of its functions.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SAMPLE_US = 250;

/** Records what a process does while some work is in progress. */
export class Profiler {
  #socket;
  #waiting = new Map();
  #sent = 0;

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (text) => {
      const { id, result, error } = JSON.parse(text);
      const pending = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new Error(error.message));
    });
  }

  /** Connects to the address that the process has printed. */
  static async connect(url) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, "open");
    return new Profiler(socket);
  }

  /** The profile of the main thread while the work is in progress. */
  async record(work) {
    await this.#call("Profiler.enable");
    await this.#call("Profiler.setSamplingInterval", { interval: SAMPLE_US });
    await this.#call("Profiler.start");
    await work();
    const { profile } = await this.#call("Profiler.stop");
    await this.#call("Profiler.disable");
    return profile;
  }

  close() {
    this.#socket.close();
  }

  #call(method, params = {}) {
    this.#sent += 1;
    const id = this.#sent;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
}

/**
 * The stacks of a profile with their microseconds; a frame is the name of a function and its source file, the innermost
 * comes first. It has no time in which the process waited.
 */
export function stacksOf({ nodes, samples, timeDeltas }, findSource = sourceFinder()) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((of) => [of, id])));
  const times = new Map();
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index + 1] ?? 0;
    times.set(id, (times.get(id) ?? 0) + Math.max(us, 0));
  }
  return [...times].flatMap(([id, us]) => {
    const frames = [];
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { callFrame } = byId.get(at);
      frames.push({ name: callFrame.functionName, file: findSource(callFrame) });
    }
    return frames[0].name === "(idle)" ? [] : [{ frames, us }];
  });
}

/** Finds the source file of a function, relative to the repository, by the map beside the built file. */
function sourceFinder() {
  const maps = new Map();
  const known = new Map();
  const open = (path) => {
    if (!maps.has(path)) {
      const map = `${path}.map`;
      maps.set(path, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : null);
    }
    return maps.get(path);
  };
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith("file:")) return url;
    const place = `${url}:${lineNumber}:${columnNumber}`;
    let source = known.get(place);
    if (source === undefined) {
      const path = fileURLToPath(url);
      const { originalSource } = open(path)?.findEntry(lineNumber, columnNumber) ?? {};
      const file = originalSource === undefined ? path : resolve(dirname(path), originalSource);
      source = relative(ROOT, file).replaceAll(sep, "/");
      known.set(place, source);
    }
    return source;
  };
}
