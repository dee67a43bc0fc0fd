import { createContext, useContext, useState, type FC } from 'react';
import { ChevronRight, File, FileCode2, FileImage, FileJson, FileText, Folder, FolderOpen, Search } from 'lucide-react';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible';
import { ResizablePanelGroup, ResizablePanel, ResizableHandle } from '@/components/ui/resizable';
import { Breadcrumb, BreadcrumbItem, BreadcrumbLink, BreadcrumbList, BreadcrumbPage, BreadcrumbSeparator } from '@/components/ui/breadcrumb';
import { cn } from '@/lib/utils';

enum Kind { Folder, File }

interface TreeFolder { kind: Kind.Folder; name: string; children: readonly TreeNode[] }
interface TreeFile { kind: Kind.File; name: string; content: string }
type TreeNode = TreeFolder | TreeFile;

const folder = (name: string, ...children: TreeNode[]): TreeFolder => ({ kind: Kind.Folder, name, children });
const file = (name: string, content: string): TreeFile => ({ kind: Kind.File, name, content });

const tree: TreeFolder = folder(
  'weather-app',
  folder('public', file('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg">…</svg>'), file('cloud.png', '(binary)')),
  folder(
    'src',
    folder(
      'components',
      file('Forecast.tsx', "export function Forecast({ days }: Props) {\n  return days.map((day) => <Day key={day.date} {...day} />);\n}"),
      file('SearchBox.tsx', "export const SearchBox = () => {\n  const [city, setCity] = useState('');\n  return <input value={city} />;\n};"),
    ),
    folder('lib', file('api.ts', 'export async function forecast(city: string) {\n  // seven days, metric units\n  return days;\n}')),
    file('main.tsx', "createRoot(document.getElementById('root')!).render(<App />);"),
    file('styles.css', ':root {\n  color-scheme: light dark;\n}'),
  ),
  file('package.json', '{\n  "name": "weather-app",\n  "private": true\n}'),
  file('README.md', '# Weather app\n\nShows the forecast of the next seven days.'),
);

interface Selection { path: string; select(path: string, node: TreeFile): void; query: string }
const SelectionContext = createContext<Selection | null>(null);

function useSelection(): Selection {
  const value = useContext(SelectionContext);
  if (!value) throw new Error('useSelection must be used inside the explorer');
  return value;
}

const ICONS: Record<string, typeof File> = { tsx: FileCode2, ts: FileCode2, json: FileJson, md: FileText, png: FileImage, svg: FileImage };
const COLORS: Record<string, string> = { tsx: 'text-sky-500', ts: 'text-blue-600', json: 'text-amber-500', md: 'text-slate-500', png: 'text-fuchsia-500', svg: 'text-orange-500', css: 'text-purple-500' };

const matches = (node: TreeNode, query: string): boolean =>
  node.name.toLowerCase().includes(query.toLowerCase()) || (node.kind === Kind.Folder && node.children.some((child) => matches(child, query)));

const Node: FC<{ node: TreeNode; path: string; depth: number }> = ({ node, path, depth }) => {
  const { path: selected, select, query } = useSelection();
  const [open, setOpen] = useState<boolean>(depth < 2);
  if (!matches(node, query)) return null;
  const indent = { paddingLeft: `${depth * 14 + 8}px` } as const;

  if (node.kind === Kind.File) {
    const extension = node.name.split('.').pop() ?? '';
    const Icon = ICONS[extension] ?? File;
    return (
      <button style={indent} onClick={() => select(path, node)} className={cn('flex w-full items-center gap-2 py-1 pr-2 text-left text-sm hover:bg-slate-200/70', selected === path && 'bg-sky-100 font-medium text-sky-900')}>
        <span className="w-4" /><Icon className={cn('h-4 w-4 shrink-0', COLORS[extension])} />{node.name}
      </button>
    );
  }
  return (
    <Collapsible open={open || query !== ''} onOpenChange={setOpen}>
      <CollapsibleTrigger style={indent} className="flex w-full items-center gap-2 py-1 pr-2 text-left text-sm hover:bg-slate-200/70">
        <ChevronRight className={cn('h-4 w-4 text-slate-400 transition-transform', (open || query) && 'rotate-90')} />
        {open ? <FolderOpen className="h-4 w-4 text-amber-500" /> : <Folder className="h-4 w-4 text-amber-500" />}
        {node.name}
      </CollapsibleTrigger>
      <CollapsibleContent>
        {node.children.map((child) => <Node key={child.name} node={child} path={`${path}/${child.name}`} depth={depth + 1} />)}
      </CollapsibleContent>
    </Collapsible>
  );
};

export default function FileExplorer(): JSX.Element {
  const [selection, setSelection] = useState<{ path: string; node: TreeFile } | null>(null);
  const [query, setQuery] = useState<string>('');
  const crumbs = selection?.path.split('/') ?? [tree.name];

  return (
    <SelectionContext.Provider value={{ path: selection?.path ?? '', select: (path, node) => setSelection({ path, node }), query }}>
      <div className="h-screen bg-slate-50 text-slate-800">
        <ResizablePanelGroup direction="horizontal">
          <ResizablePanel defaultSize={28} minSize={18} className="border-r border-slate-200 bg-slate-100">
            <div className="relative p-3">
              <Search className="absolute left-5 top-5 h-4 w-4 text-slate-400" />
              <input value={query} onChange={(event: React.ChangeEvent<HTMLInputElement>) => setQuery(event.target.value)} placeholder="Find a file" className="w-full rounded-md border border-slate-300 bg-white py-1.5 pl-8 pr-2 text-sm" />
            </div>
            <Node node={tree} path={tree.name} depth={0} />
          </ResizablePanel>
          <ResizableHandle />
          <ResizablePanel defaultSize={72} className="flex flex-col">
            <div className="border-b border-slate-200 bg-white px-5 py-3">
              <Breadcrumb>
                <BreadcrumbList>
                  {crumbs.slice(0, -1).flatMap((crumb) => [
                    <BreadcrumbItem key={crumb}><BreadcrumbLink href="#">{crumb}</BreadcrumbLink></BreadcrumbItem>,
                    <BreadcrumbSeparator key={`${crumb}/`} />,
                  ])}
                  <BreadcrumbItem><BreadcrumbPage>{crumbs.at(-1)}</BreadcrumbPage></BreadcrumbItem>
                </BreadcrumbList>
              </Breadcrumb>
            </div>
            {selection ? (
              <pre className="flex-1 overflow-auto p-5 font-mono text-sm leading-6">
                {selection.node.content.split('\n').map((line, index) => (
                  <div key={index} className="flex"><span className="w-8 select-none pr-4 text-right text-slate-300">{index + 1}</span><code>{line}</code></div>
                ))}
              </pre>
            ) : (
              <div className="flex flex-1 flex-col items-center justify-center gap-2 text-slate-400">
                <FileText className="h-12 w-12" /><p>Choose a file to look into it</p>
              </div>
            )}
          </ResizablePanel>
        </ResizablePanelGroup>
      </div>
    </SelectionContext.Provider>
  );
}
