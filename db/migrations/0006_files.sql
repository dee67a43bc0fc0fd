CREATE TABLE "file_set" (
	"file_set_id" uuid PRIMARY KEY NOT NULL,
	"artifact_id" uuid NOT NULL,
	"base" text NOT NULL,
	"sha256" "bytea" NOT NULL,
	"file_count" integer NOT NULL,
	"size_bytes" bigint NOT NULL,
	CONSTRAINT "file_set_manifest" UNIQUE("artifact_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "artifact_upload" (
	"artifact_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"uploaded_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "artifact_upload_artifact_id_sha256_pk" PRIMARY KEY("artifact_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "file_set_file" (
	"file_set_id" uuid NOT NULL,
	"path" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	CONSTRAINT "file_set_file_file_set_id_path_pk" PRIMARY KEY("file_set_id","path")
);
--> statement-breakpoint
CREATE TABLE "workspace_file" (
	"workspace_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL,
	"unused_since" timestamptz DEFAULT now(),
	CONSTRAINT "workspace_file_workspace_id_sha256_pk" PRIMARY KEY("workspace_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "artifact" ADD COLUMN "source_path" text;--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "file_set" uuid;--> statement-breakpoint
ALTER TABLE "file_set" ADD CONSTRAINT "file_set_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact_upload" ADD CONSTRAINT "artifact_upload_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_set_file" ADD CONSTRAINT "file_set_file_file_set_id_file_set_file_set_id_fk" FOREIGN KEY ("file_set_id") REFERENCES "public"."file_set"("file_set_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_set_file" ADD CONSTRAINT "file_set_file_of_workspace" FOREIGN KEY ("workspace_id","sha256") REFERENCES "public"."workspace_file"("workspace_id","sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_file" ADD CONSTRAINT "workspace_file_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_file" ADD CONSTRAINT "workspace_file_sha256_content_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."content"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "artifact_upload_uploaded" ON "artifact_upload" USING btree ("uploaded_at");--> statement-breakpoint
CREATE INDEX "file_set_file_used" ON "file_set_file" USING btree ("workspace_id","sha256");--> statement-breakpoint
CREATE INDEX "workspace_file_content" ON "workspace_file" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "workspace_file_unused" ON "workspace_file" USING btree ("unused_since") WHERE unused_since IS NOT NULL;--> statement-breakpoint
ALTER TABLE "version" ADD CONSTRAINT "version_file_set_file_set_file_set_id_fk" FOREIGN KEY ("file_set") REFERENCES "public"."file_set"("file_set_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "artifact_source_path" ON "artifact" USING btree ("project_id","source_path") WHERE "artifact"."deleted_at" IS NULL AND "artifact"."source_path" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "artifact_source_path_lower" ON "artifact" USING btree ("project_id",lower("source_path")) WHERE "artifact"."deleted_at" IS NULL AND "artifact"."source_path" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "version_file_set" ON "version" USING btree ("file_set") WHERE "version"."file_set" IS NOT NULL;