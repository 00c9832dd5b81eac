import type { Method } from "./method.js";

/** Which listeners offer a namespace: those that name it, all, or all that can push. */
export type Exposure = "listed" | "always" | "always-duplex";

/** What decides whether a listener offers a method. */
export interface Exposed {
  readonly namespace: string;
  readonly exposure: Exposure;
  readonly method: Pick<Method<unknown>, "caller"> & Partial<Pick<Method<unknown>, "alsoIn">>;
}

/** What a listener says about itself when it opens an endpoint. */
export interface EndpointSettings {
  /** Unique: `json-rpc`, `ws-rpc`. */
  readonly name: string;
  readonly transport: string;
  /** Names of the namespaces it offers, in any letter case. */
  readonly namespaces: readonly string[];
  /** Can it push messages to its callers? */
  readonly duplex: boolean;
  /** Most requests in one batch; 0 or less means no limit. */
  readonly maxBatchSize: number;
  /** The option that lists the namespaces, for messages. */
  readonly namespacesOption?: string;
}

/** Where a listener can be reached. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** How it is encrypted; not at all when left out. */
  readonly tls?: ListenTls | undefined;
}

/** The certificate of a listener, for clients on its machine. */
export interface ListenTls {
  /** A PEM file; `undefined` where it is in a key store. */
  readonly certificateFile: string | undefined;
}

/** One listener with the namespaces it offers. */
export class Endpoint {
  readonly name: string;
  readonly transport: string;
  readonly duplex: boolean;
  readonly maxBatchSize: number;
  /** Lower case, in the order given, each once. */
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

  /** The real address, once it listens. */
  get address(): ListenAddress | undefined {
    return this.#address;
  }

  /** Reports to the node that the listener is bound. */
  listening(address: ListenAddress): void {
    this.#address = address;
  }

  /** Is the method to be had here? */
  offers({ namespace, exposure, method }: Exposed): boolean {
    if (method.caller === "duplex" && !this.duplex) return false;
    if (exposure === "always") return true;
    if (exposure === "always-duplex" && this.duplex) return true;
    const isOffered = method.alsoIn !== undefined && this.#offered.has(method.alsoIn);
    return isOffered || this.#offered.has(namespace);
  }

  /** Why a method is not to be had here, and what would change that. */
  describeMissing({ namespace, method }: Exposed): string {
    if (method.caller === "duplex" && !this.duplex) {
      return "it pushes messages, which needs a WebSocket";
    }
    const name = namespace.toUpperCase();
    const remedy =
      this.#namespacesOption === undefined ? "" : `; add ${name} to --${this.#namespacesOption}`;
    return `the namespace ${name} is not offered here${remedy}`;
  }
}
