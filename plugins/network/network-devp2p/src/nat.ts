import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Logger } from "@plinth/core";

/** Environment of the node: variables, files and DNS. */
export interface NatEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves a name to an IP address; rejects if there is none. */
  readonly resolve: (name: string) => Promise<string>;
  readonly isInDocker: () => boolean;
  readonly log: Logger;
}

/** The advertised address and port. */
export interface AdvertisedAddress {
  readonly host: string;
  readonly port: number;
}

/** How the advertised address is determined. */
export interface NatSettings {
  readonly method: "AUTO" | "NONE" | "DOCKER" | "KUBERNETES";
  /** The Kubernetes service in front of this node. */
  readonly service: string;
}

/**
 * Determines the advertised address; falls back to the configured one if a container cannot find
 * its host.
 */
export async function findAdvertisedAddress(
  { method, service }: NatSettings,
  configured: AdvertisedAddress,
  context: NatEnvironment,
): Promise<AdvertisedAddress> {
  const { environment, isInDocker, log } = context;
  if (method === "AUTO") log.info("Detecting NAT service.");
  if (method === "NONE" || method === "DOCKER") {
    return method === "NONE" ? configured : findInDocker(configured, context);
  }
  const served = findService(service, configured, environment);
  if (served !== undefined) return served;
  if (method === "KUBERNETES") {
    log.warn(
      `--nat-method=KUBERNETES: ${serviceVariable(service, "SERVICE_HOST")} is not set, as it is for pods that start after the service ${service}; advertising ${configured.host}`,
    );
  }
  return method === "AUTO" && isInDocker() ? findInDocker(configured, context) : configured;
}

/** The name of the variable that Kubernetes sets in pods for a service of their namespace. */
export function serviceVariable(service: string, suffix: string): string {
  return `${service.toUpperCase().replaceAll("-", "_")}_${suffix}`;
}

/** The address and port of a service, from the Kubernetes variables. */
function findService(
  service: string,
  { port }: AdvertisedAddress,
  environment: NatEnvironment["environment"],
): AdvertisedAddress | undefined {
  const find = (suffix: string) => environment[serviceVariable(service, suffix)];
  const host = find("SERVICE_HOST");
  if (host === undefined || isIP(host) === 0) return undefined;
  const named = readPort(find("SERVICE_PORT_RLPX")) ?? readPort(find(`PORT_${port}_TCP_PORT`));
  return { host, port: named ?? port };
}

function readPort(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}

async function findInDocker(
  configured: AdvertisedAddress,
  { environment, resolve, log }: NatEnvironment,
): Promise<AdvertisedAddress> {
  const port = readPort(environment[`HOST_PORT_${configured.port}`]) ?? configured.port;
  try {
    return { host: await resolve("HOST_IP"), port };
  } catch {
    log.debug(`HOST_IP does not resolve; advertising ${configured.host}`);
    return { host: configured.host, port };
  }
}

/** Whether this process runs in a Docker container. */
export function isInDocker(): boolean {
  if (existsSync("/.dockerenv")) return true;
  try {
    return readFileSync("/proc/1/cgroup", "utf8").includes("/docker");
  } catch {
    // Other systems have no such file.
    return false;
  }
}
