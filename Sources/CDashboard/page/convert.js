// A conversion with its receipt: from which snapshot, over which legs, how rounded.

async function convert() {
  const [amount, from, to, rounding] = ["amount", "from", "to", "rounding"].map((id) => byID(id).value.trim());
  const path = ["convert", from, to, amount].map(encodeURIComponent).join("/");
  try {
    const body = await ask(`/v1/${path}?rounding=${encodeURIComponent(rounding)}&numbers=string`);
    fill("receipt", receipt(body));
  } catch (problem) {
    fill("receipt", el("p", { class: "problem" }, problem instanceof Refused ? problem.message : "The gateway did not answer."));
  }
}

function receipt(body) {
  const legs = body.cache.legs ? Object.entries(body.cache.legs).map(([code, rate]) => `${body.cache.via ?? ""}/${code} ${rate}`).join(", ") : "";
  return el("div", { class: "receipt" },
    el("p", {}, `${body.amount} ${body.from} =`),
    el("p", { class: "total" }, `${body.converted} ${body.to}`),
    el("dl", { class: "facts" }, ...[
      pairOf("Rate", body.rate),
      pairOf("Unrounded", body.result_unrounded),
      pairOf("Rounding", wordText(body.rounding)),
      pairOf("Way", wordText(body.cache.derivation) + (body.cache.via ? ` via ${body.cache.via}` : "")),
      legs ? pairOf("Legs", legs) : [],
      body.derivation_bps_max ? pairOf("Off by at most", `${body.derivation_bps_max} bp`) : [],
      pairOf("Source", `${body.source}, data of ${timeText(body.data_updated_at)}`),
      pairOf("State", pill(body.cache.state, stateTone(body.cache.state)), body.cache.reason ? ` ${wordText(body.cache.reason)}` : ""),
      pairOf("Snapshot", el("span", { class: "code" }, body.snapshot)),
    ].flat()));
}

function listenForConversions() {
  byID("convert").addEventListener("submit", (event) => {
    event.preventDefault();
    convert();
  });
}
