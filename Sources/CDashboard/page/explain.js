// Why an answer for the chosen pair is what it is.

const secondsText = (seconds) => (seconds === undefined ? "–" : spanText(seconds));

function showExplanation(page) {
  const answer = page.answer;
  const candidate = page.candidates.find((one) => one.verdict === "chosen") ?? page.candidates[0];
  const one = answer.classes?.[0];
  fill("why", ...[
    answer.status === 200
      ? [
        pairOf("Answer", pill(answer.cache.state, stateTone(answer.cache.state)),
          answer.cache.reason ? ` because: ${wordText(answer.cache.reason)}` : ` from ${answer.resource}, ${wordText(answer.cache.derivation)}`),
        pairOf("Age", `${spanText(answer.age_seconds)} of ${secondsText(one?.lifetime_seconds)}; served until ${timeText(answer.served_until)}`),
        pairOf("Class", `${answer.source}, ${one?.schedule ?? ""}`),
      ]
      : [pairOf("Answer", pill(`refused with ${answer.status}`, "bad")), pairOf("Why", answer.detail)],
    ...(candidate ? [candidateFacts(candidate)] : []),
  ].flat(2));
}

function candidateFacts(candidate) {
  const refresh = candidate.refresh;
  const call = candidate.last_call;
  const lease = candidate.lease;
  return [
    pairOf("Table", `${candidate.resource}: ${candidate.detail}`),
    pairOf("Next fetch", refresh.next ? `${timeText(refresh.next)}, ${causeText(refresh.next_by)}` : "not planned",
      refresh.detail ? `. ${refresh.detail}` : ""),
    pairOf("Asked for", `${wordText(refresh.asked_for_by)}`,
      refresh.last_demand_seconds_ago !== undefined ? `, last by a client ${spanText(refresh.last_demand_seconds_ago)} ago` : ""),
    pairOf("Held back", refresh.failures_in_a_row > 0 ? `${refresh.failures_in_a_row} failures in a row` : "by nothing that failed"),
    pairOf("Lease", lease ? `${lease.holder}, token ${lease.token}` : "nobody fetches it now"),
    pairOf("Last call here", call
      ? `${wordText(call.outcome)} at ${timeText(call.at)} in ${call.duration_ms} ms${call.upstream_status ? `, status ${call.upstream_status}` : ""}`
      : "none by this instance"),
  ];
}
