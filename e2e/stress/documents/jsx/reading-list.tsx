import { useMemo, useState } from "react";
import { BookOpen, Check } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";

interface Book {
  readonly title: string;
  readonly pages: number;
}

const books: readonly Book[] = [
  { title: "A field guide to lichens", pages: 412 },
  { title: "Bridges of the upper valley", pages: 188 },
  { title: "Bread without haste", pages: 240 },
];

export default function ReadingList() {
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const left = useMemo(
    () => books.filter(({ title }) => !read.has(title)).reduce((sum, { pages }) => sum + pages, 0),
    [read],
  );
  return (
    <Card className="m-8 max-w-lg">
      <CardHeader>
        <CardTitle className="flex items-center gap-2">
          <BookOpen /> Reading list <Badge>{left} pages left</Badge>
        </CardTitle>
      </CardHeader>
      <CardContent className="space-y-2">
        {books.map(({ title, pages }) => (
          <div key={title} className="flex items-center justify-between">
            <span>
              {title}, {pages} pages
            </span>
            <Button disabled={read.has(title)} onClick={() => setRead(new Set([...read, title]))}>
              <Check /> Read
            </Button>
          </div>
        ))}
      </CardContent>
    </Card>
  );
}
