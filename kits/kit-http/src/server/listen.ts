import type { AddressInfo } from "node:net";
import { ConfigError, messageOf } from "@plinth/core";
import type { ListenAddress } from "@plinth/core/rpc";
import type { PortServer } from "./port-server.js";

/** The address of a server, and the options that set it, if the operator did. */
export interface ListenSettings extends ListenAddress {
  readonly options?: { readonly host: string; readonly port: string } | undefined;
}

/** Binds a server; an error names the options of host and port. */
export async function listen(
  server: PortServer,
  { host, port, options }: ListenSettings,
): Promise<ListenAddress> {
  try {
    // The name may resolve to ::1 first, where a client of 127.0.0.1 could not connect.
    await server.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
  } catch (error) {
    throw explain(error, { host, port, options });
  }
  return { host, port: (server.server.address() as AddressInfo).port };
}

function explain(error: unknown, { host, port, options }: ListenSettings): ConfigError {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new ConfigError("PORT_IN_USE", {
        message: `Port(s) '[${port}]' already in use. Check for other processes using the port(s), or choose another${options === undefined ? "" : ` with --${options.port}`}.`,
        port,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ConfigError("HOST_UNAVAILABLE", {
        message: `${options === undefined ? "" : `Invalid value for option '--${options.host}': `}'${host}' is not an address of this machine`,
        host,
      });
    default:
      return new ConfigError("LISTEN_FAILED", {
        message: `cannot listen on ${host}:${port}${options === undefined ? "" : ` (--${options.host}, --${options.port})`}: ${messageOf(error)}`,
        cause: error,
      });
  }
}
