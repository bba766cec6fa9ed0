// The socket of a seat, which comes back by itself when it is lost.
const FIRST = 250, LONGEST = 4000, ALIVE = 15000; // milliseconds

export class Seat {
  constructor(handlers) {
    this.handlers = handlers;
    this.wait = FIRST;
    this.done = false;
    addEventListener("online", () => this.connect());
    setInterval(() => this.check(), ALIVE);
  }

  open(token) {
    this.token = token;
    this.connect();
  }

  connect() {
    if (this.done || !this.token || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/seat`);
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ seat: this.token })));
    socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(data)));
    socket.addEventListener("close", () => {
      if (this.done || socket !== this.socket) return;
      this.handlers.linked(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST, 2 * this.wait);
    });
  }

  receive(message) {
    this.heard = true;
    if (message.type === "seat") {
      this.wait = FIRST;
      this.handlers.linked(true);
      this.handlers.about(message);
    } else if (message.type === "told") this.handlers.told(message);
    else if (message.type === "belief") this.handlers.belief(message.belief);
    else if (["came", "draw", "past"].includes(message.type)) this.handlers[message.type](message);
    else if (message.type === "error") {
      this.done = message.final === true;
      this.handlers.fault(message.error, this.done);
    }
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // A connection on which nothing comes back any more is given up.
  check() {
    if (this.heard === false) return this.socket?.close();
    this.heard = !this.send({ type: "ping" });
  }
}
