// The peer of the RPC benchmarks: a fastify route that parses the body and sends the same bytes.
//   node bare-fastify.mjs METHOD RESPONSE
import Fastify from "fastify";

const [method, response] = process.argv.slice(2);
const server = Fastify({ logger: false });
server.post("/", (request, reply) => {
  reply.header("content-type", "application/json");
  return request.body.method === method ? response : "{}";
});
await server.listen({ host: "127.0.0.1", port: 0 });
console.log(server.server.address().port);
