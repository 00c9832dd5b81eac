import { existsSync, readFileSync } from "node:fs";
import type { Logger } from "@plinth/core";

/** What a node finds out about the machine it runs on. */
export interface NatSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves a name to an IP address; rejects when there is none. */
  readonly resolve: (name: string) => Promise<string>;
  readonly isInDocker: () => boolean;
  readonly log: Logger;
}

/** The address and port that are advertised to other nodes. */
export interface AdvertisedAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds the advertised address; what a container cannot find out about its host falls back to what is configured. */
export async function findAdvertisedAddress(
  method: "AUTO" | "NONE" | "DOCKER",
  configured: AdvertisedAddress,
  { environment, resolve, isInDocker, log }: NatSurroundings,
): Promise<AdvertisedAddress> {
  if (method === "AUTO") log.info("Detecting NAT service.");
  if (method === "NONE" || (method === "AUTO" && !isInDocker())) return configured;
  const mapped = Number(environment[`HOST_PORT_${configured.port}`]);
  const port =
    Number.isInteger(mapped) && mapped > 0 && mapped <= 65_535 ? mapped : configured.port;
  try {
    return { host: await resolve("HOST_IP"), port };
  } catch {
    log.debug(`HOST_IP does not resolve; advertising ${configured.host}`);
    return { host: configured.host, port };
  }
}

/** Whether this process runs in a container of Docker. */
export function isInDocker(): boolean {
  if (existsSync("/.dockerenv")) return true;
  try {
    return readFileSync("/proc/1/cgroup", "utf8").includes("/docker");
  } catch {
    // There is no such file on other systems.
    return false;
  }
}
