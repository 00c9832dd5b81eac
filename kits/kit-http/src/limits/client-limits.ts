import type { OptionValues } from "@plinth/core";
import type { CallBudget } from "@plinth/core/rpc";
import type { GuardedNode } from "../bodies/response-guard.js";
import type { AddressLimit } from "./address-limit.js";
import { CallGuard } from "./call-guard.js";
import { clientAddresses, type FindAddress, TrustedProxies } from "./client-address.js";
import type { clientOptions } from "./client-options.js";

/** The limits of the clients of one listener, and how their addresses are determined. */
export class ClientLimits {
  readonly addresses: AddressLimit;
  /** The address of the client behind a request. */
  readonly addressOf: FindAddress;
  readonly #guard: CallGuard;

  /** Declares the metrics of the listener's plugin; throws if an option is invalid. */
  constructor(node: GuardedNode, config: OptionValues<typeof clientOptions>) {
    const proxies = new TrustedProxies("rpc-trusted-proxies", config.rpcTrustedProxies);
    const refused = node.metrics.counter({
      name: "connections_refused",
      help: "Connections closed at once because their address had too many.",
    });
    this.#guard = new CallGuard(node, config);
    this.addressOf = clientAddresses(proxies);
    this.addresses = {
      most: config.rpcClientMaxConnections,
      proxies,
      onRefused: () => refused.increment(),
    };
  }

  /** The call budget of a client at an address; `undefined` if there are no limits. */
  callsOf(address: string | undefined): CallBudget | undefined {
    return this.#guard.budgetOf(address);
  }
}
