import { messageOf } from "../errors.js";

/** The health of a part; the worst of all checks is the node's. */
export type HealthStatus = "up" | "degraded" | "down";

/** The result of a check. */
export interface Health {
  readonly status: HealthStatus;
  readonly detail?: string;
}

/** A result with the check and the plugin it came from. */
export interface NamedHealth extends Health {
  readonly plugin: string;
  readonly name: string;
}

/** The node's health and that of its parts. */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly checks: readonly NamedHealth[];
}

/** A health check; throwing means `down`. */
export type HealthCheck<R> = (runtime: R) => Health | Promise<Health>;

const SEVERITY: Readonly<Record<HealthStatus, number>> = { up: 0, degraded: 1, down: 2 };

/** The worst status of a list; `up` when it is empty. */
export function worst(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.reduce<HealthStatus>(
    (found, status) => (SEVERITY[status] > SEVERITY[found] ? status : found),
    "up",
  );
}

/** Runs a check; an error becomes `down`. */
export async function runCheck<R>(check: HealthCheck<R>, runtime: R): Promise<Health> {
  try {
    return await check(runtime);
  } catch (error) {
    return { status: "down", detail: messageOf(error) };
  }
}
