import { messageOf, PlinthError } from "@plinth/core";

/** Sends a request to a running manager at its node address; returns the JSON of the response. */
export async function askManager(url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch (error) {
    throw new PlinthError("ENCLAVE_UNREACHABLE", {
      message: `No private transaction manager responds at ${url.origin}: ${messageOf(error)}`,
      cause: error,
    });
  }
}
