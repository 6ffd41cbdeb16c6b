/** Loaded before a package manager in a box: whichever host it asks, it is the socket that answers. */

const { Socket } = require("node:net");

const { connect } = Socket.prototype;

Socket.prototype.connect = function connectToProxy(...args) {
  // Node.js itself passes the arguments of others as a list.
  const [first] = args;
  const done = Array.isArray(first) ? first[1] : args.find((each) => typeof each === "function");
  const proxy = { path: process.env.MEND_REGISTRY };
  return done ? connect.call(this, proxy, done) : connect.call(this, proxy);
};
