import type { Method } from "./method.js";

/** Which listeners serve a namespace: those that list it, all, or all that can push. */
export type Exposure = "listed" | "always" | "always-duplex";

/** What determines whether a listener serves a method. */
export interface Exposed {
  readonly namespace: string;
  readonly exposure: Exposure;
  readonly method: Pick<Method<unknown>, "caller"> & Partial<Pick<Method<unknown>, "alsoIn">>;
}

/** The settings of an endpoint, from its listener. */
export interface EndpointSettings {
  /** Unique: `json-rpc`, `ws-rpc`. */
  readonly name: string;
  readonly transport: string;
  /** The namespaces it serves, in any case. */
  readonly namespaces: readonly string[];
  /** Whether it can push messages to its callers. */
  readonly duplex: boolean;
  /** Maximum number of requests in a batch; 0 or less means no limit. */
  readonly maxBatchSize: number;
  /** The option that lists the namespaces, for messages. */
  readonly namespacesOption?: string;
}

/** Where a listener can be reached. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Its TLS settings; not encrypted by default. */
  readonly tls?: ListenTls | undefined;
}

/** The certificate of a listener, for clients on its machine. */
export interface ListenTls {
  /** A PEM file; `undefined` if it is in a key store. */
  readonly certificateFile: string | undefined;
}

/** One listener with the namespaces it serves. */
export class Endpoint {
  readonly name: string;
  readonly transport: string;
  readonly duplex: boolean;
  readonly maxBatchSize: number;
  /** Lower case, in the given order, each once. */
  readonly namespaces: readonly string[];
  readonly #offered: ReadonlySet<string>;
  readonly #namespacesOption: string | undefined;
  #address: ListenAddress | undefined;

  constructor({ namespacesOption, ...settings }: EndpointSettings) {
    const { name, transport, namespaces, duplex, maxBatchSize } = settings;
    this.#namespacesOption = namespacesOption;
    this.name = name;
    this.transport = transport;
    this.duplex = duplex;
    this.maxBatchSize = maxBatchSize;
    this.#offered = new Set(namespaces.map((namespace) => namespace.toLowerCase()));
    this.namespaces = [...this.#offered];
  }

  /** The actual address, once it listens. */
  get address(): ListenAddress | undefined {
    return this.#address;
  }

  /** Reports to the node that the listener is bound. */
  listening(address: ListenAddress): void {
    this.#address = address;
  }

  /** Whether the method is served here. */
  offers({ namespace, exposure, method }: Exposed): boolean {
    if (method.caller === "duplex" && !this.duplex) return false;
    if (exposure === "always") return true;
    if (exposure === "always-duplex" && this.duplex) return true;
    const isOffered = method.alsoIn !== undefined && this.#offered.has(method.alsoIn);
    return isOffered || this.#offered.has(namespace);
  }

  /** Why a method is not served here, and how to change that. */
  describeMissing({ namespace, method }: Exposed): string {
    if (method.caller === "duplex" && !this.duplex) {
      return "it pushes messages, which requires a WebSocket";
    }
    const name = namespace.toUpperCase();
    const remedy =
      this.#namespacesOption === undefined ? "" : `; add ${name} to --${this.#namespacesOption}`;
    return `the namespace ${name} is not enabled here${remedy}`;
  }
}
