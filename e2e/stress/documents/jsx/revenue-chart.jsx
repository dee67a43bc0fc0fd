import React, { useState } from "react";
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

const quarters = [
  { name: "Q1", bread: 42, cake: 18 },
  { name: "Q2", bread: 47, cake: 26 },
  { name: "Q3", bread: 39, cake: 31 },
  { name: "Q4", bread: 58, cake: 44 },
];

export default function RevenueChart() {
  const [isStacked, setStacked] = useState(false);
  const total = quarters.reduce((sum, { bread, cake }) => sum + bread + cake, 0);
  return (
    <div className="mx-auto max-w-3xl p-6">
      <h1 className="text-2xl font-bold">Bakery revenue</h1>
      <p className="text-gray-600">{total} thousand in four quarters</p>
      <button className="my-4 rounded bg-amber-700 px-3 py-1 text-white" onClick={() => setStacked(!isStacked)}>
        {isStacked ? "Side by side" : "Stacked"}
      </button>
      <ResponsiveContainer width="100%" height={300}>
        <BarChart data={quarters}>
          <CartesianGrid strokeDasharray="3 3" />
          <XAxis dataKey="name" />
          <YAxis />
          <Tooltip />
          <Legend />
          <Bar dataKey="bread" fill="#b45309" isAnimationActive={false} stackId={isStacked ? "all" : "bread"} />
          <Bar dataKey="cake" fill="#f59e0b" isAnimationActive={false} stackId={isStacked ? "all" : "cake"} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
