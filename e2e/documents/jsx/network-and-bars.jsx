import React, { useEffect, useRef, useState } from "react";
import * as d3 from "d3";

const CSV = `country,year,renewables
Iceland,2024,86.9
Norway,2024,71.5
Sweden,2024,57.7
Brazil,2024,46.2
Denmark,2024,43.9
Austria,2024,36.4
Portugal,2024,34.7
Canada,2024,27.9
Germany,2024,20.9
France,2024,15.6`;

const graph = {
  nodes: [
    { id: "Gateway", group: 0 }, { id: "Auth", group: 1 }, { id: "Users", group: 1 }, { id: "Billing", group: 2 },
    { id: "Orders", group: 2 }, { id: "Catalog", group: 3 }, { id: "Search", group: 3 }, { id: "Mail", group: 4 },
    { id: "Queue", group: 4 }, { id: "Postgres", group: 5 }, { id: "Redis", group: 5 }, { id: "Object store", group: 5 },
  ],
  links: [
    { source: "Gateway", target: "Auth", value: 8 }, { source: "Gateway", target: "Orders", value: 5 },
    { source: "Gateway", target: "Catalog", value: 6 }, { source: "Gateway", target: "Search", value: 4 },
    { source: "Auth", target: "Users", value: 7 }, { source: "Users", target: "Postgres", value: 6 },
    { source: "Orders", target: "Billing", value: 5 }, { source: "Orders", target: "Queue", value: 3 },
    { source: "Billing", target: "Postgres", value: 4 }, { source: "Queue", target: "Mail", value: 2 },
    { source: "Queue", target: "Redis", value: 4 }, { source: "Catalog", target: "Postgres", value: 5 },
    { source: "Search", target: "Redis", value: 2 }, { source: "Catalog", target: "Object store", value: 3 },
  ],
};

function ForceGraph({ onSelect }) {
  const ref = useRef(null);

  useEffect(() => {
    const width = 560, height = 480;
    const color = d3.scaleOrdinal(d3.schemeTableau10);
    const nodes = graph.nodes.map((d) => ({ ...d }));
    const links = graph.links.map((d) => ({ ...d }));
    const svg = d3.select(ref.current);
    svg.selectAll("*").remove();
    svg.attr("viewBox", [-width / 2, -height / 2, width, height]);

    const simulation = d3.forceSimulation(nodes)
      .force("link", d3.forceLink(links).id((d) => d.id).distance(85))
      .force("charge", d3.forceManyBody().strength(-340))
      .force("x", d3.forceX())
      .force("y", d3.forceY());

    const link = svg.append("g").attr("stroke", "#94a3b8").attr("stroke-opacity", 0.6)
      .selectAll("line").data(links).join("line").attr("stroke-width", (d) => Math.sqrt(d.value));

    const node = svg.append("g").selectAll("g").data(nodes).join("g").style("cursor", "pointer")
      .on("click", (_, d) => onSelect(d.id))
      .call(d3.drag()
        .on("start", (event) => { if (!event.active) simulation.alphaTarget(0.3).restart(); event.subject.fx = event.subject.x; event.subject.fy = event.subject.y; })
        .on("drag", (event) => { event.subject.fx = event.x; event.subject.fy = event.y; })
        .on("end", (event) => { if (!event.active) simulation.alphaTarget(0); event.subject.fx = null; event.subject.fy = null; }));
    node.append("circle").attr("r", 14).attr("fill", (d) => color(d.group)).attr("stroke", "#fff").attr("stroke-width", 2);
    node.append("text").text((d) => d.id).attr("y", 28).attr("text-anchor", "middle").attr("font-size", 11).attr("fill", "#334155");
    node.append("title").text((d) => d.id);

    simulation.on("tick", () => {
      link.attr("x1", (d) => d.source.x).attr("y1", (d) => d.source.y).attr("x2", (d) => d.target.x).attr("y2", (d) => d.target.y);
      node.attr("transform", (d) => `translate(${d.x},${d.y})`);
    });
    return () => simulation.stop();
  }, [onSelect]);

  return <svg ref={ref} className="h-[480px] w-full" />;
}

function BarChart({ descending }) {
  const ref = useRef(null);

  useEffect(() => {
    const data = d3.csvParse(CSV, d3.autoType).sort((a, b) => descending ? d3.descending(a.renewables, b.renewables) : d3.ascending(a.country, b.country));
    const width = 560, height = 480, margin = { top: 20, right: 20, bottom: 40, left: 80 };
    const x = d3.scaleLinear().domain([0, d3.max(data, (d) => d.renewables)]).nice().range([margin.left, width - margin.right]);
    const y = d3.scaleBand().domain(data.map((d) => d.country)).range([margin.top, height - margin.bottom]).padding(0.15);
    const color = d3.scaleSequential(d3.interpolateYlGnBu).domain([-20, 100]);

    const svg = d3.select(ref.current).attr("viewBox", `0 0 ${width} ${height}`);
    svg.selectAll("*").remove();
    svg.append("g").attr("transform", `translate(0,${height - margin.bottom})`).call(d3.axisBottom(x).ticks(6).tickFormat((d) => d + "%"));
    svg.append("g").attr("transform", `translate(${margin.left},0)`).call(d3.axisLeft(y).tickSizeOuter(0));
    svg.append("g").selectAll("rect").data(data, (d) => d.country).join("rect")
      .attr("x", x(0)).attr("y", (d) => y(d.country)).attr("height", y.bandwidth())
      .attr("fill", (d) => color(d.renewables)).attr("width", 0)
      .transition().duration(600).delay((_, i) => i * 30).attr("width", (d) => x(d.renewables) - x(0));
  }, [descending]);

  return <svg ref={ref} className="h-[480px] w-full" />;
}

export default function NetworkAndBars() {
  const [selected, setSelected] = useState(null);
  const [descending, setDescending] = useState(true);
  const degree = selected ? graph.links.filter((l) => l.source === selected || l.target === selected).length : 0;

  return (
    <main className="min-h-screen bg-white p-8 text-slate-800">
      <h1 className="font-serif text-3xl font-bold">Services and sources</h1>
      <p className="mt-1 text-slate-500">A force-directed graph beside a ranked bar chart.</p>
      <div className="mt-6 grid grid-cols-1 gap-6 md:grid-cols-2">
        <figure className="rounded-xl border border-slate-200 p-4">
          <figcaption className="mb-2 flex justify-between text-sm font-semibold">
            Service dependencies
            <span className="font-normal text-indigo-600">{selected ? `${selected}: ${degree} connections` : "Click a node"}</span>
          </figcaption>
          <ForceGraph onSelect={setSelected} />
        </figure>
        <figure className="rounded-xl border border-slate-200 p-4">
          <figcaption className="mb-2 flex justify-between text-sm font-semibold">
            Renewables, share of primary energy
            <button className="rounded border px-2 text-xs font-normal hover:bg-slate-50" onClick={() => setDescending(!descending)}>
              {descending ? "Sort by name" : "Sort by share"}
            </button>
          </figcaption>
          <BarChart descending={descending} />
        </figure>
      </div>
    </main>
  );
}
