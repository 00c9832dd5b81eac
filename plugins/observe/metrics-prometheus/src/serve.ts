import type { OptionValues } from "@plinth/core";
import {
  createHttpServer,
  type ListenerNode,
  readWildcardList,
  registerListener,
} from "@plinth/kit-http";
import { type ExportSettings, exportMetrics } from "./exporter.js";
import { CONTENT_TYPE } from "./exposition.js";
import type { options } from "./options.js";

type Config = OptionValues<typeof options>;

/** More connections than any number of scrapers needs. */
const MAX_CONNECTIONS = 80;
const MAX_BODY_BYTES = 1024;

/** Serves metrics under `/metrics` once every plugin has started. */
export function serveMetrics(node: ListenerNode, config: Config, exported: ExportSettings): void {
  const scrapes = node.metrics.counter({
    name: "scrapes",
    help: "Number of metrics requests.",
  });
  registerListener(node, {
    title: "Metrics service",
    endpoint: {
      name: "metrics",
      transport: "http",
      namespaces: [],
      duplex: false,
      maxBatchSize: 1,
    },
    address: { host: config.metricsHost, port: config.metricsPort },
    options: { api: "metrics-category", host: "metrics-host", port: "metrics-port" },
    async createServer(_, runtime) {
      const settings = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        origins: [],
        originsOption: "",
        maxConnections: MAX_CONNECTIONS,
        maxBodyBytes: MAX_BODY_BYTES,
      };
      return createHttpServer(settings, (server) => {
        server.get("/", (_request, reply) => reply.code(201).send());
        server.get("/metrics", (request, reply) => {
          scrapes.increment();
          return reply
            .type(CONTENT_TYPE)
            .send(exportMetrics(runtime, exported, namesIn(request.query)));
        });
      });
    },
  });
}

/** The names in `?name[]=a&name[]=b`. */
function namesIn(query: unknown): readonly string[] {
  const asked: unknown = Object(query)["name[]"];
  return asked === undefined ? [] : [asked].flat().map(String);
}
