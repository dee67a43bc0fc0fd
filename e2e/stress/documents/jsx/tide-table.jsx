import * as d3 from "d3";
import _ from "lodash";
import { useEffect, useRef } from "react";

const hours = _.range(0, 25);
const level = (hour) => 2 + 1.5 * Math.sin((hour / 12.4) * 2 * Math.PI);

export default function TideTable() {
  const drawing = useRef(null);
  useEffect(() => {
    const x = d3.scaleLinear([0, 24], [30, 590]);
    const y = d3.scaleLinear([0, 4], [180, 20]);
    const line = d3.line((hour) => x(hour), (hour) => y(level(hour)));
    const svg = d3.select(drawing.current);
    svg.selectAll("*").remove();
    svg.append("path").attr("d", line(hours)).attr("fill", "none").attr("stroke", "navy");
    svg.append("g").attr("transform", "translate(0, 180)").call(d3.axisBottom(x).ticks(8));
  }, []);
  const highest = _.maxBy(hours, level);
  return (
    <main style={{ padding: 24, fontFamily: "system-ui" }}>
      <h1>Tides at the harbour wall</h1>
      <p>
        High water at {highest} h: {level(highest).toFixed(1)} m
      </p>
      <svg ref={drawing} width="620" height="210" />
    </main>
  );
}
